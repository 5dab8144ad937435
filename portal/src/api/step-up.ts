import { fetchWatched } from "./connection.ts";
import { nameMode } from "./mode.ts";
import { nameAccount } from "./shown-account.ts";

// Some calls need a recent sign-in. The server then refuses them with the challenge of RFC 9470; the user authenticates
// again in a dialog (shell/step-up.tsx), and the call is repeated.

type Ask = () => Promise<boolean>;

let ask: Ask | null = null;
let pending: Promise<boolean> | null = null;

/**
 * Sets the function that asks the user to authenticate again; it resolves to whether they did. Returns a function that
 * unsets it.
 */
export function onStepUp(asking: Ask): () => void {
  ask = asking;
  return () => {
    ask = null;
  };
}

/** Sends a request. If the server asks for a recent sign-in, sends it again once the user has authenticated. */
export async function fetchWithStepUp(request: Request): Promise<Response> {
  nameMode(nameAccount(request));
  const repeated = request.method === "GET" ? null : request.clone();
  const response = await fetchWatched(request);
  if (repeated === null || ask === null || !needsStepUp(response)) return response;
  pending ??= ask().finally(() => {
    pending = null;
  });
  return (await pending) ? fetchWatched(repeated) : response;
}

const needsStepUp = ({ status, headers }: Response): boolean =>
  status === 403 && headers.get("www-authenticate")?.includes("insufficient_user_authentication") === true;
