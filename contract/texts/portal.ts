import { portal as de } from "./de/portal/index.ts";
import { portal as en, type PortalArea } from "./en/portal/index.ts";
import type { Language } from "./languages.ts";
import type { Texts } from "./text.ts";

/** The texts of the portal in all languages. */
export const portalTexts: Readonly<Record<Language, Readonly<Record<PortalArea, Texts>>>> = { en, de };
