export type Language = "curl" | "javascript" | "python" | "php" | "ruby" | "go";

/** The languages in the order in which they are offered, with their labels. */
export const languageLabels: Readonly<Record<Language, string>> = {
  curl: "curl",
  javascript: "JavaScript",
  python: "Python",
  php: "PHP",
  ruby: "Ruby",
  go: "Go",
};
