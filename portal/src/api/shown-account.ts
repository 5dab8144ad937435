// The account that the pages show. Another window may switch the session to another account: the server then refuses
// changes.

let shown: number | null = null;

/** Sets the account that the pages show from now on. */
export function showAccount(userId: number | null): void {
  shown = userId;
}

/** Names the account that the pages show in a request that changes something. */
export function nameAccount(request: Request): Request {
  if (shown !== null && request.method !== "GET") request.headers.set("x-account", String(shown));
  return request;
}
