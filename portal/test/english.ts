import { portalTexts } from "../../contract/texts/portal.ts";
import { addTexts } from "../src/api/locale.ts";

// The texts of all areas, for tests outside of a browser. A test imports this before what it tests.

for (const texts of Object.values(portalTexts.en)) addTexts(texts);
