/** The most that an account may have. */
export const maxSandboxes = 5;
/** A sandbox that no request reaches for this time is deleted. */
export const idleDays = 30;
