/** The origin of the service of a test. Without imports, so that browser tests need not load the service. */
export const publicUrl = "https://localhost:8443";
