// The account that the pages show. Another window may switch the session to another account: the server then refuses
// changes.

let current: number | null = null;

/** Sets the account that the pages show from now on. */
export function showAccount(userId: number | null): void {
  current = userId;
}

/** Adds the account that the pages show to a request that changes something, as the header x-account. */
export function addAccountHeader(request: Request): Request {
  if (current !== null && request.method !== "GET") request.headers.set("x-account", String(current));
  return request;
}
