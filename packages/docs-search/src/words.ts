/** The words of a query or a name: "listBeats" has two, "/users/me/beats" three. */
export const wordsOf = (text: string): string[] =>
  text
    .replace(/([a-z\d])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}#]+/u)
    .filter((word) => word !== "");
