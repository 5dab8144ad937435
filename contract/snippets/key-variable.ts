/** The environment variable that every program and the client libraries read the API key from. */
export const keyVariable = "BEATMARKET_API_KEY";
