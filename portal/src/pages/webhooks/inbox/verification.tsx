import { Anchor, Box, Code, Group, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { IconCheck, IconX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { ReceiptDetail } from "../../../api/webhooks.ts";
import { UntrustedText } from "../../../display/untrusted-text.tsx";

/** How the inbox verified a receipt, step by step, as every receiver should. */
export function Verification({ receipt }: { receipt: ReceiptDetail }) {
  const isSame = receipt.given_signature === receipt.computed_signature;
  const isFresh = Math.abs(receipt.age_seconds) <= receipt.tolerance_seconds;
  return (
    <Stack gap="md">
      <Group gap="xs">
        <StepIcon isOk={receipt.verified} />
        <Title order={3} size="h5">
          {receipt.verified ? "Verified, responded 200" : "Refused, responded 401"}
        </Title>
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link to="/webhooks/deliveries/$deliveryId" params={{ deliveryId: receipt.delivery_id }} {...props} />
          )}
        >
          Delivery {receipt.delivery_id}
        </Anchor>
        <Anchor
          size="sm"
          renderRoot={(props) => <Link to="/webhooks/doctor" search={{ receipt: receipt.id }} {...props} />}
        >
          Try it in the doctor
        </Anchor>
      </Group>
      <Stack component="ol" gap="md" p={0} m={0} style={{ listStyle: "none" }}>
        <Step number={1} title="Read the raw body" isOk>
          {receipt.body_bytes.toLocaleString("en")} bytes, before parsing.
          <UntrustedText text={receipt.body} label="Raw body" maxHeight={160} />
        </Step>
        <Step number={2} title="Get the secret" isOk>
          The whole text, <Code>whsec_</Code> included, without decoding. Here: <Code>whsec_…{receipt.secret_end}</Code>
        </Step>
        <Step number={3} title="Compute the HMAC with SHA-256 of the body, keyed with the secret" isOk>
          As 64 lowercase hexadecimal digits:
          <Hex text={receipt.computed_signature} />
        </Step>
        <Step number={4} title="Compare it with the header, in constant time" isOk={isSame}>
          <Code>X-Webhook-Signature</Code> {isSame ? "is the same:" : "differs:"}
          <Hex text={receipt.given_signature || "missing"} />
        </Step>
        <Step number={5} title="Check the timestamp" isOk={isFresh}>
          <Code>webhook-timestamp</Code> was {ageLabel(receipt.age_seconds)} on arrival. Refuse timestamps that differ
          from your clock by more than {receipt.tolerance_seconds} seconds: the request may be a replay.
        </Step>
      </Stack>
      <div>
        <Text size="sm" fw={600} mb={4}>
          Headers
        </Text>
        <UntrustedText
          text={receipt.headers.map(({ name, value }) => `${name}: ${value}`).join("\n")}
          label="Headers"
          maxHeight={200}
        />
      </div>
    </Stack>
  );
}

function ageLabel(seconds: number): string {
  if (Math.abs(seconds) < 2) return "less than 2 seconds old";
  return seconds > 0 ? `${Math.round(seconds)} seconds old` : `${Math.round(-seconds)} seconds in the future`;
}

function Step({
  number,
  title,
  isOk,
  children,
}: {
  number: number;
  title: string;
  isOk: boolean;
  children: ReactNode;
}) {
  return (
    <Group component="li" align="flex-start" gap="sm" wrap="nowrap">
      <StepIcon isOk={isOk} />
      <Box style={{ flex: 1, minWidth: 0 }}>
        <Text size="sm" fw={600}>
          {number}. {title}
        </Text>
        <Text size="sm" component="div">
          {children}
        </Text>
      </Box>
    </Group>
  );
}

const StepIcon = ({ isOk }: { isOk: boolean }) => (
  <ThemeIcon
    size={22}
    radius="xl"
    variant="light"
    color={isOk ? "teal" : "red"}
    aria-label={isOk ? "Passed" : "Failed"}
    role="img"
  >
    {isOk ? <IconCheck size={14} /> : <IconX size={14} />}
  </ThemeIcon>
);

const Hex = ({ text }: { text: string }) => (
  <Code block style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
    {text}
  </Code>
);
