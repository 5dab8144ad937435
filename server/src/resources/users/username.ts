const maxLength = 40;

/** A slug of the display name, with which its username begins; `fallback` if it has no ASCII letter or digit. */
export const usernameSlug = (displayName: string, fallback: string): string =>
  displayName
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, maxLength)
    .replace(/^-|-$/g, "") || fallback;
