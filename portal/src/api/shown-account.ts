// The account that the pages show. Another window may switch the session to another account: the server then refuses
// changes.

let current: number | null = null;

/** Sets the account that the pages show from now on. */
export function showAccount(userId: number | null): void {
  current = userId;
}

/** Names the account that the pages show in a request that changes something. */
export function nameAccount(request: Request): Request {
  if (current !== null && request.method !== "GET") request.headers.set("x-account", String(current));
  return request;
}
