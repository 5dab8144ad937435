/**
 * Turns the address of a file, certificate or payment into a path, which opens on the page's own origin. Any other
 * address only loses its fragment.
 */
export const ownOrigin = (url: string): string => {
  const { origin, pathname, search } = new URL(url, location.href);
  return /^\/(media|downloads|licenses|pay)\//.test(pathname) ? pathname + search : `${origin}${pathname}${search}`;
};
