import { t } from "../../api/locale.ts";

/** The value of a text field of a form. */
export function textField(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}

/** The limits of a password's length, which the server also enforces. */
export const passwordRule = () => ({ minLength: 10, maxLength: 128, description: t("entry.atLeast10Characters") });
