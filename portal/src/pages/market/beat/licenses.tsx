import { Anchor, Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { BeatDetail } from "../../../api/catalogue.ts";
import { beatQuery } from "../../../api/market.ts";
import { useAccount } from "../../../api/session.ts";
import { fileLabels, type LicenseType, licenseLabels } from "../../../display/beats/licenses.ts";
import { moneyText } from "../../../display/beats/money.ts";
import classes from "./beat.module.css";

interface LicensesProps {
  beat: BeatDetail;
  currency: string;
}

/** The four licenses with their prices and files, and the way to buy each. */
export function Licenses({ beat, currency }: LicensesProps) {
  const account = useAccount();
  const offer = useQuery({ ...beatQuery(beat.id), enabled: account !== null }).data;
  const ownedOf = (type: LicenseType) => offer?.owned.find(({ license_type }) => license_type === type);
  return (
    <ul className={classes.licenses}>
      {beat.licenses.filter(isKnown).map(({ type, price, available }) => (
        <li key={type} className={classes.license}>
          <div>
            <Text size="sm" fw={600}>
              {licenseLabels[type]}
            </Text>
            <Text size="xs" c="dimmed">
              {offer?.licenses
                .find((each) => each.type === type)
                ?.files.map((kind) => fileLabels[kind])
                .join(" · ") ?? whatItIs[type]}
            </Text>
          </div>
          <Text size="sm" fw={600}>
            {moneyText(price, currency)}
          </Text>
          {ownedOf(type) !== undefined && (
            <Anchor
              size="xs"
              renderRoot={(props) => <Link to="/library" search={{ order: ownedOf(type)?.order_id }} {...props} />}
            >
              {ownedOf(type)?.status === "pending" ? "You are paying for it" : "You have it"}
            </Anchor>
          )}
          {offer?.is_own === true ? null : available ? (
            <Button
              size="xs"
              variant={type === "basic" ? "filled" : "default"}
              aria-label={`${ownedOf(type) === undefined ? "Buy" : "Buy again:"} ${licenseLabels[type]} for ${moneyText(price, currency)}`}
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
              {ownedOf(type) === undefined ? "Buy" : "Buy again"}
            </Button>
          ) : (
            <Text size="xs" c="dimmed">
              Not on sale
            </Text>
          )}
        </li>
      ))}
    </ul>
  );
}

/** The library's types leave room for licenses that are added later. */
const isKnown = <Its extends { type: string }>(license: Its): license is Its & { type: LicenseType } =>
  Object.hasOwn(licenseLabels, license.type);

/** Until it is known which files there are. */
const whatItIs: Record<LicenseType, string> = {
  basic: "MP3 and a license certificate",
  premium: "Also WAV, where the recording is lossless",
  unlimited: "Also stems, where the producer gave them",
  exclusive: "Sold once: the beat is off sale from then on",
};
