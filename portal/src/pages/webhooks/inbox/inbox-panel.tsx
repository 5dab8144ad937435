import { Badge, Box, Grid, Paper, Stack, Text, Title } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type Endpoint, receiptQuery, receiptsQuery } from "../../../api/webhooks.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { RowsSkeleton } from "../../../display/page.tsx";
import { RelativeTime } from "../../../display/relative-time.tsx";
import classes from "./inbox-panel.module.css";
import { Verification } from "./verification.tsx";

/** The receipts of the inbox, and the verification of the chosen receipt, by default the newest. */
export function InboxPanel({ endpoint }: { endpoint: Endpoint }) {
  const { data, error, refetch } = useQuery(receiptsQuery(endpoint.id));
  const [selectedId, setSelectedId] = useState<number | null>(null);
  const receipts = data?.receipts ?? [];
  const selectedReceipt = receipts.find(({ id }) => id === selectedId) ?? receipts[0];
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        Received
      </Title>
      {error !== null && <ErrorAlert error={error} onRetry={refetch} />}
      {data === undefined && error === null && <RowsSkeleton rows={3} height={60} />}
      {data !== undefined && selectedReceipt === undefined && (
        <Paper withBorder p="lg">
          <Text size="sm" c="dimmed" ta="center">
            Nothing yet. Send a test event above, or buy a beat in the explorer: it appears here within a second.
          </Text>
        </Paper>
      )}
      {selectedReceipt !== undefined && (
        <Paper withBorder>
          <Grid gap={0}>
            <Grid.Col span={{ base: 12, md: 4 }}>
              <Box
                mah={{ base: 220, md: 640 }}
                style={{ overflowY: "auto" }}
                tabIndex={0}
                role="region"
                aria-label="Receipts"
              >
                <Stack gap={2} p="xs">
                  {receipts.map((receipt) => (
                    <button
                      key={receipt.id}
                      type="button"
                      aria-current={receipt.id === selectedReceipt.id}
                      onClick={() => setSelectedId(receipt.id)}
                      className={classes.receipt}
                    >
                      <span className={classes.event}>
                        <span className={classes.type}>{receipt.type}</span>
                        <RelativeTime at={receipt.received_at} />
                      </span>
                      <VerifiedBadge isVerified={receipt.verified} />
                    </button>
                  ))}
                </Stack>
              </Box>
            </Grid.Col>
            <Grid.Col span={{ base: 12, md: 8 }} p="md">
              <ReceiptView id={selectedReceipt.id} />
            </Grid.Col>
          </Grid>
        </Paper>
      )}
    </Stack>
  );
}

const VerifiedBadge = ({ isVerified }: { isVerified: boolean }) => (
  <Badge color={isVerified ? "teal" : "red"} variant="light" radius="sm" tt="none">
    {isVerified ? "Verified" : "Refused"}
  </Badge>
);

function ReceiptView({ id }: { id: number }) {
  const { data, error } = useQuery(receiptQuery(id));
  if (error !== null) return <ErrorAlert error={error} />;
  return data === undefined ? <RowsSkeleton rows={6} height={64} /> : <Verification receipt={data} />;
}
