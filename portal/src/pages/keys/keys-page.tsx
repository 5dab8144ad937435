import { Button, Stack } from "@mantine/core";
import { IconKey, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { type ApiKey, keysQuery, limitRequestsQuery } from "../../api/keys.ts";
import { EmptyState } from "../../display/empty-state.tsx";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { CreateKey } from "../../display/keys/create-key.tsx";
import { Page, RowsSkeleton } from "../../display/page.tsx";
import { Permitted } from "../../display/permitted.tsx";
import { AccountVersion } from "./account-version.tsx";
import { FormerKeys } from "./former-keys.tsx";
import { KeyCard } from "./key-card.tsx";
import { type PinTarget, PinVersion } from "./pin-version.tsx";
import { RaiseLimits } from "./raise-limits.tsx";
import { RestrictKey } from "./restrict-key.tsx";
import { RevokeKey } from "./revoke-key.tsx";
import { RotateKey } from "./rotate-key.tsx";

/** The account's API keys: create, pin, raise limits, restrict, rotate, revoke. */
export function KeysPage() {
  const { data, error, isPending, refetch } = useQuery(keysQuery);
  const requests = useQuery(limitRequestsQuery);
  const { create } = useSearch({ from: "/frame/signed-in/keys" });
  const navigate = useNavigate({ from: "/keys" });
  const isCreating = create === 1;
  const setCreating = (isOpen: boolean) => void navigate({ search: isOpen ? { create: 1 } : {}, replace: true });
  const [restricting, setRestricting] = useState<ApiKey | null>(null);
  const [raising, setRaising] = useState<ApiKey | null>(null);
  const [pinTarget, setPinTarget] = useState<PinTarget | null>(null);
  const [rotating, setRotating] = useState<ApiKey | null>(null);
  const [revoking, setRevoking] = useState<ApiKey | null>(null);
  const active = data?.keys.filter(({ state }) => state === "active") ?? [];
  const isFull = data !== undefined && active.length >= data.max_active;
  const newKey = (
    <Button
      leftSection={<IconPlus size={16} />}
      onClick={() => !isFull && setCreating(true)}
      data-disabled={isFull}
      aria-disabled={isFull}
      title={isFull ? `An account may have ${data.max_active} active keys: revoke one first.` : undefined}
    >
      New API key
    </Button>
  );
  return (
    <Page
      title="API keys"
      lead="Programs authenticate with API keys. Use one key for each program, so that you can revoke them separately."
      actions={<Permitted to="keys:write">{newKey}</Permitted>}
    >
      {isPending && <RowsSkeleton rows={3} height={150} />}
      {error !== null && <ErrorAlert error={error} onRetry={() => void refetch()} />}
      {data !== undefined && active.length === 0 && (
        <EmptyState icon={IconKey} title="No API key yet">
          Every API call needs a key. Create one with “New API key”, then try it in the explorer.
        </EmptyState>
      )}
      {active.length > 0 && (
        <Permitted to="keys:write" isQuiet>
          <Stack gap="sm">
            {active.map((key) => (
              <KeyCard
                key={key.id}
                apiKey={key}
                onPin={() => setPinTarget({ key })}
                onRestrict={() => setRestricting(key)}
                limitRequest={requests.data?.requests.find(({ key_id }) => key_id === key.id)}
                onRaise={() => setRaising(key)}
                onRotate={() => setRotating(key)}
                onRevoke={() => setRevoking(key)}
              />
            ))}
          </Stack>
        </Permitted>
      )}
      <FormerKeys keys={data?.keys.filter(({ state }) => state !== "active") ?? []} />
      <AccountVersion onChange={(account) => setPinTarget({ account })} />
      <CreateKey opened={isCreating} onClose={() => setCreating(false)} />
      <PinVersion pinTarget={pinTarget} onClose={() => setPinTarget(null)} />
      <RestrictKey apiKey={restricting} onClose={() => setRestricting(null)} />
      <RaiseLimits apiKey={raising} onClose={() => setRaising(null)} />
      <RotateKey apiKey={rotating} onClose={() => setRotating(null)} />
      <RevokeKey apiKey={revoking} onClose={() => setRevoking(null)} />
    </Page>
  );
}
