import { checkConnection, connected } from "./connection.ts";

let latest = 0;

/**
 * Leaves this document once the server responds. During an outage the browser's error page would replace the document.
 * Only the latest request counts, and only if the user has not gone to another page in the meantime.
 */
async function leave(go: () => void): Promise<void> {
  const requestNumber = ++latest;
  const from = location.href;
  if (!(await checkConnection())) await connected();
  if (requestNumber === latest && location.href === from) go();
}

/** Opens a document outside the portal's pages. */
export const openDocument = (address: string): Promise<void> => leave(() => location.assign(address));

/** Loads this document again. */
export const reloadDocument = (): Promise<void> => leave(() => location.reload());
