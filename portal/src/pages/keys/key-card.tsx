import { Badge, Button, Code, Group, Paper, SimpleGrid, Stack, Text } from "@mantine/core";
import { IconCheck, IconRefresh, IconShieldLock, IconTrash, IconVersions } from "@tabler/icons-react";
import type { ReactNode } from "react";
import type { ApiKey, LimitRequest } from "../../api/keys.ts";
import { useMode } from "../../api/mode.ts";
import { useAccount } from "../../api/session.ts";
import { permissionLabels } from "../../display/keys/permission-labels.ts";
import { maskedKey } from "../../display/masked-key.ts";
import { FutureTime, RelativeTime } from "../../display/relative-time.tsx";

interface KeyCardProps {
  apiKey: ApiKey;
  /** The key's newest request for higher limits. */
  limitRequest: LimitRequest | undefined;
  onRaise: () => void;
  onPin: () => void;
  onRestrict: () => void;
  onRotate: () => void;
  onRevoke: () => void;
}

/** An active key: its properties, the state of its request for higher limits, and buttons that change it. */
export function KeyCard({ apiKey, limitRequest, onPin, onRaise, onRestrict, onRotate, onRevoke }: KeyCardProps) {
  const { name, plan, permissions, permissions_used, last_used_at, created_at, created_by, expires_at } = apiKey;
  const mode = useMode();
  const organisation = useAccount()?.organisation ?? null;
  const isBeyondRole = permissions.some((permission) => organisation?.key_permissions.includes(permission) === false);
  return (
    <Paper withBorder p="md" component="article" aria-label={`API key ${name}`}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="xs">
          <Stack gap={2} miw={0} style={{ flex: "1 1 200px" }}>
            <Text fw={600} dir="auto" lineClamp={2} style={{ overflowWrap: "anywhere" }}>
              {name}
            </Text>
            <Group gap="xs">
              <Code>{maskedKey(apiKey, mode)}</Code>
              <Badge variant="default" size="sm" tt="none" radius="sm">
                {plan} plan
              </Badge>
              {canRaise(apiKey, limitRequest) && (
                <Button size="compact-xs" variant="subtle" onClick={onRaise}>
                  Ask for higher limits
                </Button>
              )}
            </Group>
          </Stack>
          <Group gap="xs">
            <Button size="xs" variant="default" leftSection={<IconVersions size={14} />} onClick={onPin}>
              Version
            </Button>
            <Button size="xs" variant="default" leftSection={<IconShieldLock size={14} />} onClick={onRestrict}>
              Restrict
            </Button>
            <Button
              size="xs"
              variant="default"
              leftSection={<IconRefresh size={14} />}
              disabled={isBeyondRole}
              title={isBeyondRole ? "The key may do more than your role. Ask an owner to rotate it." : undefined}
              onClick={onRotate}
            >
              Rotate
            </Button>
            <Button size="xs" variant="default" c="red" leftSection={<IconTrash size={14} />} onClick={onRevoke}>
              Revoke
            </Button>
          </Group>
        </Group>
        <LimitRequestState plan={plan} request={limitRequest} />
        <SimpleGrid cols={{ base: 2, sm: organisation === null ? 3 : 4 }} spacing="xs" verticalSpacing="xs">
          <Detail label="Last used">{last_used_at === null ? "Never" : <RelativeTime at={last_used_at} />}</Detail>
          <Detail label="Created">
            <RelativeTime at={created_at} />
          </Detail>
          {organisation !== null && (
            <Detail label="Made by">
              <span title={created_by?.email ?? undefined} dir="auto">
                {created_by?.name ?? "The operator"}
              </span>
            </Detail>
          )}
          {apiKey.version !== null && <Detail label="Version of the API">{apiKey.version}</Detail>}
          {apiKey.spending_cap !== null && (
            <Detail label="May spend">{apiKey.spending_cap.toFixed(2)} in 30 days</Detail>
          )}
          {apiKey.allowed_networks.length > 0 && (
            <Detail label="Allowed from">
              <span style={{ overflowWrap: "anywhere" }}>{apiKey.allowed_networks.join(", ")}</span>
            </Detail>
          )}
          <Detail label="Expires">{expires_at === null ? "Never" : <FutureTime at={expires_at} />}</Detail>
        </SimpleGrid>
        <div>
          <Text size="xs" c="dimmed" mb={4}>
            Permissions: {permissions_used.length} of {permissions.length} used in the last 30 days
          </Text>
          <Group gap="xs">
            {permissions.map((permission) => {
              const isUsed = permissions_used.includes(permission);
              const label = permissionLabels.find((each) => each.permission === permission)?.label;
              return (
                <Badge
                  key={permission}
                  title={`${label}: ${isUsed ? "used" : "not used"}`}
                  variant={isUsed ? "light" : "default"}
                  tt="none"
                  radius="sm"
                  fw={500}
                  leftSection={isUsed ? <IconCheck size={11} aria-label="used" /> : undefined}
                >
                  {permission}
                </Badge>
              );
            })}
          </Group>
        </div>
      </Stack>
    </Paper>
  );
}

const isOpen = (plan: string, request: LimitRequest | undefined): boolean =>
  request?.state === "open" && request.plan !== plan;

/** `partner` and `internal` are the highest plans. */
const canRaise = ({ plan }: ApiKey, request: LimitRequest | undefined): boolean =>
  (plan === "standard" || plan === "plus") && !isOpen(plan, request);

/** The state of a request: pending, or the operator's reason for the refusal. */
function LimitRequestState({ plan, request }: { plan: string; request: LimitRequest | undefined }) {
  if (request !== undefined && isOpen(plan, request))
    return (
      <Text size="sm" c="dimmed">
        You asked for the plan {request.plan} <RelativeTime at={request.created_at} />. You get a mail with the
        decision.
      </Text>
    );
  if (request?.state !== "refused") return null;
  return (
    <Text size="sm" style={{ overflowWrap: "anywhere" }}>
      The plan {request.plan} was refused: <span dir="auto">{request.response}</span>
    </Text>
  );
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Text size="sm" component="div">
        {children}
      </Text>
    </div>
  );
}
