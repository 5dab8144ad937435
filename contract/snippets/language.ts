export type Language = "curl" | "javascript" | "python" | "php" | "ruby" | "go";

/** The languages in the order in which people choose them, by the names that they are shown under. */
export const languageLabels: Readonly<Record<Language, string>> = {
  curl: "curl",
  javascript: "JavaScript",
  python: "Python",
  php: "PHP",
  ruby: "Ruby",
  go: "Go",
};
