import { Anchor, Button, Skeleton, Text, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { BeatDetail } from "../../../api/catalogue.ts";
import { t } from "../../../api/locale.ts";
import { beatQuery, licensesQuery } from "../../../api/market.ts";
import { useAccount } from "../../../api/session.ts";
import { type LicenseType, licenseLabels } from "../../../display/beats/licenses.ts";
import { moneyText } from "../../../display/beats/money.ts";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { words } from "../../../display/words.tsx";
import classes from "./licenses.module.css";

interface LicensesProps {
  beat: BeatDetail;
  currency: string;
}

/** The licenses of a beat, with files, rights and price, and a link to buy those on sale. */
export function Licenses({ beat, currency }: LicensesProps) {
  const { data, error, refetch } = useQuery(licensesQuery(beat.id));
  const account = useAccount();
  const offer = useQuery({ ...beatQuery(beat.id), enabled: account !== null }).data;
  const ownedOf = (type: LicenseType) => offer?.owned.find(({ license_type }) => license_type === type);
  if (error !== null) return <ErrorAlert error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton height={220} />;
  return (
    <>
      <table className={classes.licenses}>
        <thead>
          <tr>
            <th scope="col">{t("market.license")}</th>
            {data.licenses[0]?.allows.map(({ name }) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
            <th scope="col">{t("market.price")}</th>
            <th scope="col">
              <VisuallyHidden>{t("nav.buy")}</VisuallyHidden>
            </th>
          </tr>
        </thead>
        <tbody>
          {data.licenses.map(({ type, price, available, allows }) => (
            <tr key={type}>
              <th scope="row">
                {licenseLabels[type]} <Owned owned={ownedOf(type)} />
              </th>
              {allows.map(({ name, text }) => (
                <td key={name} data-name={name}>
                  {text}
                </td>
              ))}
              <td className={classes.price}>{moneyText(price, currency)}</td>
              <td className={classes.buy}>
                {offer?.is_own === true ? null : available ? (
                  <Button
                    size="xs"
                    variant={type === "basic" ? "filled" : "default"}
                    aria-label={t(ownedOf(type) === undefined ? "market.buyLicenseFor" : "market.buyLicenseAgainFor", {
                      license: licenseLabels[type],
                      price: moneyText(price, currency),
                    })}
                    renderRoot={(props) => (
                      <Link
                        to="/market/beats/$beatId"
                        params={{ beatId: beat.id }}
                        search={{ buy: type, price }}
                        resetScroll={false}
                        {...props}
                      />
                    )}
                  >
                    {ownedOf(type) === undefined ? t("nav.buy") : t("market.buyAgain")}
                  </Button>
                ) : (
                  <Text size="xs" c="dimmed">
                    {t("market.notOnSale")}
                  </Text>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {data.free_download && (
        <Text size="sm" mt="sm">
          {words("market.freeTaggedDownload", {
            link: (text) => <Anchor href={`/beats/${beat.id}#free-download`}>{text}</Anchor>,
          })}
        </Text>
      )}
    </>
  );
}

const Owned = ({ owned }: { owned: { order_id: number; status: "completed" | "pending" } | undefined }) =>
  owned && (
    <Anchor size="xs" renderRoot={(props) => <Link to="/library" search={{ order: owned.order_id }} {...props} />}>
      {owned.status === "pending" ? t("market.youArePayingForIt") : t("market.youHaveIt")}
    </Anchor>
  );
