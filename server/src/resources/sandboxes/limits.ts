/** The maximum number of sandboxes of an account. */
export const maxSandboxes = 5;
/** A sandbox is deleted after this number of days without a request. */
export const idleDays = 30;
