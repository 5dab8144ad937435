/** The address of a file, certificate or payment as a path of the page's own origin, whatever origin the address names. */
export const ownOrigin = (url: string): string => {
  const { origin, pathname, search } = new URL(url, location.href);
  return /^\/(media|downloads|licenses|pay)\//.test(pathname) ? pathname + search : `${origin}${pathname}${search}`;
};
