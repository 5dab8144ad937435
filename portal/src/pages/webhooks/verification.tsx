import { Anchor, Box, Code, Group, Stack, Text, ThemeIcon, Title } from "@mantine/core";
import { IconCheck, IconX } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { ForeignText } from "../../display/foreign-text.tsx";
import type { ReceiptDetail } from "./queries.ts";

/** How the inbox verified what it received, step by step, as every receiver should. */
export function Verification({ receipt }: { receipt: ReceiptDetail }) {
  const isSame = receipt.given_signature === receipt.computed_signature;
  const isFresh = Math.abs(receipt.age_seconds) <= receipt.tolerance_seconds;
  return (
    <Stack gap="md">
      <Group gap="xs">
        <StepIcon isRight={receipt.verified} />
        <Title order={3} size="h5">
          {receipt.verified ? "Verified, and answered 200" : "Refused, and answered 401"}
        </Title>
        <Anchor
          size="sm"
          renderRoot={(its) => (
            <Link to="/webhooks/deliveries/$deliveryId" params={{ deliveryId: receipt.delivery_id }} {...its} />
          )}
        >
          Delivery {receipt.delivery_id}
        </Anchor>
        <Anchor
          size="sm"
          renderRoot={(its) => <Link to="/webhooks/doctor" search={{ receipt: receipt.id }} {...its} />}
        >
          Try it in the doctor
        </Anchor>
      </Group>
      <Stack component="ol" gap="md" p={0} m={0} style={{ listStyle: "none" }}>
        <Step number={1} title="Take the raw body" isRight>
          {receipt.body_bytes.toLocaleString("en")} bytes, as they came, before anything parses them.
          <ForeignText text={receipt.body} label="Raw body" maxHeight={160} />
        </Step>
        <Step number={2} title="Take the secret" isRight>
          All of it as text, <Code>whsec_</Code> included; nothing is decoded. Here it was{" "}
          <Code>whsec_…{receipt.secret_end}</Code>
        </Step>
        <Step number={3} title="Compute the HMAC with SHA-256 of the body, keyed with the secret" isRight>
          As 64 lower-case hexadecimal digits:
          <Hex text={receipt.computed_signature} />
        </Step>
        <Step number={4} title="Compare it with the header, in constant time" isRight={isSame}>
          <Code>X-Webhook-Signature</Code> {isSame ? "is the same:" : "is another:"}
          <Hex text={receipt.given_signature || "missing"} />
        </Step>
        <Step number={5} title="Look at the time" isRight={isFresh}>
          <Code>webhook-timestamp</Code> was {ageInWords(receipt.age_seconds)} when it came. What is older than{" "}
          {receipt.tolerance_seconds} seconds is refused, since somebody may have recorded it.
        </Step>
      </Stack>
      <div>
        <Text size="sm" fw={600} mb={4}>
          Headers
        </Text>
        <ForeignText
          text={receipt.headers.map(({ name, value }) => `${name}: ${value}`).join("\n")}
          label="Headers"
          maxHeight={200}
        />
      </div>
    </Stack>
  );
}

const ageInWords = (seconds: number): string =>
  Math.abs(seconds) < 2
    ? "less than 2 seconds old"
    : seconds > 0
      ? `${Math.round(seconds)} seconds old`
      : `${Math.round(-seconds)} seconds ahead of its time`;

function Step({
  number,
  title,
  isRight,
  children,
}: {
  number: number;
  title: string;
  isRight: boolean;
  children: ReactNode;
}) {
  return (
    <Group component="li" align="flex-start" gap="sm" wrap="nowrap">
      <StepIcon isRight={isRight} />
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

const StepIcon = ({ isRight }: { isRight: boolean }) => (
  <ThemeIcon
    size={22}
    radius="xl"
    variant="light"
    color={isRight ? "teal" : "red"}
    aria-label={isRight ? "Right" : "Wrong"}
    role="img"
  >
    {isRight ? <IconCheck size={14} /> : <IconX size={14} />}
  </ThemeIcon>
);

const Hex = ({ text }: { text: string }) => (
  <Code block style={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
    {text}
  </Code>
);
