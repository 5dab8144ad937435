/** The origin of the service in tests. This module has no imports, so that browser tests need not load the service. */
export const publicUrl = "https://localhost:8443";
