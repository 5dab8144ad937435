import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { getRouteApi } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Page } from "../../display/page.tsx";
import { Permitted } from "../../display/permitted.tsx";
import { ConfirmLogin } from "./confirm-login.tsx";

const route = getRouteApi("/frame/signed-in/device");

/** The page on which a person confirms the login of a terminal program. */
export function DevicePage() {
  const { code } = route.useSearch();
  return (
    <Page title="Log in a program" lead="A program in a terminal asks for an API key of your account.">
      <Permitted to="keys:write">
        {code === undefined ? <EnterCode /> : <ConfirmLogin key={code} code={code} />}
      </Permitted>
    </Page>
  );
}

function EnterCode() {
  const navigate = route.useNavigate();
  const [code, setCode] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void navigate({ search: { code: code.trim() } });
  };
  return (
    <form onSubmit={submit}>
      <Stack maw={420}>
        <Text size="sm">Start the login in the terminal, and enter the code that it shows.</Text>
        <TextInput
          label="Code"
          placeholder="BCDF-GHJK"
          value={code}
          onChange={(event) => setCode(event.currentTarget.value)}
          maxLength={20}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required
        />
        <Group>
          <Button type="submit">Continue</Button>
        </Group>
      </Stack>
    </form>
  );
}
