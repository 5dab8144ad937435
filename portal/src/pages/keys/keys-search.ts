import { searchParams } from "../../api/search-params.ts";

/** `create=1` opens the dialog of a new key. */
export const readKeysSearch = searchParams<{ create?: 1 }>({
  create: (value) => (Number(value) === 1 ? 1 : undefined),
});
