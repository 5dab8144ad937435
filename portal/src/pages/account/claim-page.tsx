import { Anchor, Button, Loader, Stack, Text } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "@tanstack/react-router";
import { api, unwrap } from "../../api/client.ts";
import { isConnectionLost } from "../../api/connection.ts";
import { ErrorAlert } from "../../display/error-alert.tsx";
import { ProducerLink } from "../../display/producer-link.tsx";
import { SignedOutPage } from "../../shell/signed-out-page.tsx";

/** The page that the link in a claim's mail opens. The button, not the visit, claims: programs that scan mails open links. */
export function ClaimPage() {
  const { hash: token } = useLocation();
  const body = { token };
  const offer = useQuery({
    queryKey: ["claim", token],
    queryFn: () => unwrap(api.POST("/claims/find", { body })),
    retry: isConnectionLost,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const prove = useMutation({ mutationFn: () => unwrap(api.POST("/claims/prove", { body })) });
  const error = prove.error ?? offer.error;
  return (
    <SignedOutPage title={prove.isSuccess ? "The beats are yours" : "Claim your beats"}>
      {error !== null && <ErrorAlert error={error} />}
      {offer.isPending && <Loader size="sm" aria-label="Loading" />}
      {offer.isSuccess && !prove.isSuccess && (
        <Stack gap="sm">
          <Text size="sm">
            <strong>
              <ProducerLink id={offer.data.producer.id} name={offer.data.producer.name} />
            </strong>{" "}
            has {offer.data.producer.beats === 1 ? "1 beat" : `${offer.data.producer.beats.toLocaleString("en")} beats`}{" "}
            on sale. They move to the account of <strong>{offer.data.email}</strong> permanently.
          </Text>
          <Button onClick={() => prove.mutate()} loading={prove.isPending}>
            Take them over
          </Button>
        </Stack>
      )}
      {prove.isSuccess && (
        <Stack gap="sm">
          <Text size="sm">
            They belong to the account of <strong>{offer.data?.email}</strong> now. It may take a minute until all of
            them say so.
          </Text>
          {prove.data.is_new ? (
            <Text size="sm">
              The account is new.{" "}
              <Anchor inherit renderRoot={(props) => <Link to="/forgot-password" {...props} />}>
                Choose its password
              </Anchor>{" "}
              to sign in.
            </Text>
          ) : (
            <Anchor size="sm" renderRoot={(props) => <Link to="/sign-in" {...props} />}>
              Sign in
            </Anchor>
          )}
        </Stack>
      )}
    </SignedOutPage>
  );
}
