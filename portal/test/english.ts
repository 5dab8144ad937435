import { portalTexts } from "../../contract/texts/portal.ts";
import { addTexts } from "../src/api/locale.ts";

// Loads the English texts of all areas for tests outside a browser. Import this file before the tested module.

for (const texts of Object.values(portalTexts.en)) addTexts(texts);
