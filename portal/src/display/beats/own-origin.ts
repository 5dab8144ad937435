/** The page's own origin serves files, certificates and payments, whatever origin their addresses name. */
export const ownOrigin = (url: string): string => {
  const { origin, pathname, search } = new URL(url, location.href);
  return /^\/(media|downloads|licenses|pay)\//.test(pathname) ? pathname + search : `${origin}${pathname}${search}`;
};
