import { fetchWatched } from "./connection.ts";
import { addModeHeader } from "./mode.ts";
import { addAccountHeader } from "./shown-account.ts";

// Some calls need a recent sign-in. Without one the server responds with the challenge of RFC 9470. The user then
// authenticates in a dialog (shell/step-up.tsx), and the call is repeated.

type AskUser = () => Promise<boolean>;

let ask: AskUser | null = null;
let pending: Promise<boolean> | null = null;

/**
 * Sets `askUser`, which asks the user to authenticate again and resolves to true if the user did. Returns a function
 * that removes `askUser`.
 */
export function onStepUp(askUser: AskUser): () => void {
  ask = askUser;
  return () => {
    ask = null;
  };
}

/**
 * Sends a request. If the server demands a recent sign-in, repeats the request after the user has authenticated. Does
 * not repeat a GET request.
 */
export async function fetchWithStepUp(request: Request): Promise<Response> {
  addModeHeader(addAccountHeader(request));
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
