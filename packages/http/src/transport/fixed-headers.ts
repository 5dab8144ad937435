/** Set on every response. Pages set their own content security policy. */
export const fixedHeaders = (publicUrl: string): Record<string, string> => ({
  "x-content-type-options": "nosniff",
  // Not on loopback hosts, since browsers would remember it after the demo.
  ...(!isLoopback(publicUrl) && { "strict-transport-security": "max-age=31536000" }),
});

/** Whether an IP address is 127.0.0.1 or ::1. */
export const isOwnAddress = (address: string): boolean => /^((::ffff:)?127\.0\.0\.1|::1)$/.test(address);

const isLoopback = (origin: string): boolean =>
  /^(localhost|127\..*|\[::1\]|.*\.localhost)$/.test(new URL(origin).hostname);
