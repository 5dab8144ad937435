import { totpCode } from "@beatmarket/authentication/totp.ts";

/** The code that an authenticator app shows at this moment. */
export const codeOfApp = (secret: string): string => totpCode(secret, Math.floor(Date.now() / 30_000));
