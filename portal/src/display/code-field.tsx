import { TextInput, type TextInputProps } from "@mantine/core";
import { t } from "../api/locale.ts";

/** A field for the code of an authenticator app. It has room for a recovery code, too. */
export const CodeField = (props: TextInputProps) => (
  <TextInput
    name="code"
    label={t("ui.code")}
    autoComplete="one-time-code"
    autoCapitalize="characters"
    spellCheck={false}
    maxLength={40}
    ff="monospace"
    required
    {...props}
  />
);
