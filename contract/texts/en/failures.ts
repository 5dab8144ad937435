/** Refusals in the reader's language. The API's own errors are only in English. */
export const failures = {
  "failure.wrong": "The request is not valid",
  "failure.wrongHint": "Check what you entered, and try again.",
  "failure.email": "This is not an e-mail address.",
  "failure.changedHint": "Something has changed in the meantime. Load the page again.",
  "failure.detailed": "{hint} The service says: {details}",
  "failure.forbidden": "This is not allowed",
  "failure.forbiddenHint": "Open the page again in your browser, and repeat the step there.",
  "failure.notFound": "There is nothing here",
  "failure.gone": "This beat was taken down",
  "failure.goneHint": "The operator of this marketplace took it down. Who bought a license finds it in the library.",
  "failure.tooMany": "Too many requests",
  "failure.tooManyHint": "Wait some seconds, and try again.",
  "failure.broken": "Something went wrong",
  "failure.brokenHint": "Nothing of your doing caused this. Try again in a few seconds.",
} as const;
