import { Button, Checkbox, Group, SimpleGrid, Stack, Switch, Text } from "@mantine/core";
import { locale, t } from "../../../api/locale.ts";
import { type LicenseType, licenseLabels } from "../../../display/beats/licenses.ts";
import { DecimalInput } from "../../../display/decimal-input.tsx";
import { ErrorAlert } from "../../../display/error-alert.tsx";
import { changeLicenseDefaults, type Options, useRefetchOptions, useStudioMutation } from "../studio-queries.ts";
import type { BeatValues, LicenseValue, Limits } from "./beat-values.ts";
import { fieldId } from "./field-errors.ts";
import { FieldProblem } from "./field-problem.tsx";

type Bounds = NonNullable<Options["license_bounds"]>;
type Clause = keyof Bounds["basic"];

const clauseLabels = {
  copies: "studio.copies",
  streams: "studio.streams",
  videos: "studio.musicVideos",
  radio_stations: "studio.radioStations",
  paid_performances: "studio.paidShows",
  years: "studio.years",
} as const satisfies Record<Clause, string>;
const types = Object.keys(licenseLabels) as LicenseType[];
const highest = 1_000_000_000;

interface LicenseFieldsProps {
  licenses: BeatValues["licenses"];
  freeDownload: boolean;
  /** The bounds of the limits in the terms; null if the terms have no limits. */
  bounds: Bounds | null;
  problem: string | undefined;
  onChange: (change: Partial<Pick<BeatValues, "licenses" | "freeDownload">>) => void;
  /** Whether the licenses belong to a single beat. False for the defaults of new beats. */
  isOfOneBeat?: boolean;
}

/** Fields for licenses and their limits. In a beat's form, also buttons that apply them to other beats. */
export function LicenseFields({
  licenses,
  freeDownload,
  bounds,
  problem,
  onChange,
  isOfOneBeat = true,
}: LicenseFieldsProps) {
  const change = (type: LicenseType, value: Partial<LicenseValue>) =>
    onChange({ licenses: { ...licenses, [type]: { ...licenses[type], ...value } } });
  return (
    <Stack gap="md">
      {types.map((type, index) => (
        <div key={type}>
          <Switch
            {...(index === 0 && { id: fieldId("license_settings") })}
            label={t("studio.sellLicenses", { license: locale.inSentence(licenseLabels[type]) })}
            checked={licenses[type].sold}
            onChange={({ currentTarget }) => change(type, { sold: currentTarget.checked })}
          />
          {bounds !== null && licenses[type].sold && (
            <LimitFields
              label={licenseLabels[type]}
              limits={licenses[type].limits}
              bounds={bounds[type]}
              onChange={(limits) => change(type, { limits })}
            />
          )}
        </div>
      ))}
      <Switch
        label={t("studio.freeDownload")}
        description={t("studio.freeDownloadHint")}
        checked={freeDownload}
        onChange={({ currentTarget }) => onChange({ freeDownload: currentTarget.checked })}
      />
      {problem !== undefined && <FieldProblem field="license_settings" problem={problem} />}
      {isOfOneBeat && <OtherBeats licenses={licenses} freeDownload={freeDownload} />}
    </Stack>
  );
}

interface LimitFieldsProps {
  label: string;
  limits: Limits;
  bounds: Bounds[LicenseType];
  onChange: (limits: Limits) => void;
}

/**
 * The value of a limit after "any number" is unchecked: undefined, which means the limit of the terms. If the terms set
 * no limit, the lowest one that they allow.
 */
const finiteDefault = ({ standard, lowest }: Bounds[LicenseType][Clause]): number | null | undefined =>
  standard === null ? lowest : undefined;

/** Fields for the limits that producers may change. An empty field means the limit of the terms. */
function LimitFields({ label, limits, bounds, onChange }: LimitFieldsProps) {
  const changeable = (Object.keys(bounds) as Clause[]).filter((name) => bounds[name].lowest !== bounds[name].highest);
  if (changeable.length === 0)
    return (
      <Text size="xs" c="dimmed" mt={4}>
        {t("studio.limitsFixedByTerms")}
      </Text>
    );
  const set = (name: Clause, value: number | null | undefined) => {
    const { [name]: _, ...otherLimits } = limits;
    onChange(value === undefined ? otherLimits : { ...otherLimits, [name]: value });
  };
  return (
    <details open={Object.keys(limits).length > 0}>
      <Text component="summary" size="xs" c="dimmed" mt={4} style={{ cursor: "pointer" }}>
        {t("studio.limitsOfTheLicense", { label: locale.inSentence(label) })}
      </Text>
      <SimpleGrid cols={{ base: 2, sm: 3 }} spacing="sm" mt="xs">
        {changeable.map((name) => (
          <div key={name}>
            <DecimalInput
              label={t(clauseLabels[name])}
              aria-label={t("studio.licenseLimitLabel", {
                limit: t(clauseLabels[name]),
                label: locale.inSentence(label),
              })}
              min={bounds[name].lowest ?? 0}
              max={bounds[name].highest ?? highest}
              placeholder={limitText(limits[name] === null ? null : bounds[name].standard)}
              disabled={limits[name] === null}
              value={limits[name] ?? null}
              onChange={(value) => set(name, value === null ? undefined : Math.round(value))}
            />
            {bounds[name].highest === null && (
              <Checkbox
                size="xs"
                mt={4}
                label={t("studio.anyNumber")}
                aria-label={t("studio.anyNumberLabel", {
                  limit: locale.inSentence(t(clauseLabels[name])),
                  label: locale.inSentence(label),
                })}
                checked={(limits[name] === undefined ? bounds[name].standard : limits[name]) === null}
                onChange={({ currentTarget }) => set(name, currentTarget.checked ? null : finiteDefault(bounds[name]))}
              />
            )}
          </div>
        ))}
      </SimpleGrid>
    </details>
  );
}

const limitText = (limit: number | null): string => (limit === null ? t("studio.anyNumber") : locale.number(limit));

/** Buttons that apply the licenses of this form to new beats, or to all beats. */
function OtherBeats({ licenses, freeDownload }: Pick<LicenseFieldsProps, "licenses" | "freeDownload">) {
  const refetchOptions = useRefetchOptions();
  const apply = useStudioMutation(
    (toAll: boolean) =>
      changeLicenseDefaults({ license_settings: licenses, free_download: freeDownload, apply_to_all: toAll }),
    refetchOptions,
  );
  return (
    <div>
      <Group gap="xs">
        <Button
          size="xs"
          variant="default"
          loading={apply.isPending && !apply.variables}
          onClick={() => apply.mutate(false)}
        >
          {t("studio.useForNewBeats")}
        </Button>
        <Button
          size="xs"
          variant="default"
          loading={apply.isPending && apply.variables}
          onClick={() => apply.mutate(true)}
        >
          {t("studio.useForAllMyBeats")}
        </Button>
      </Group>
      <Text size="xs" c="dimmed" mt={4} role="status">
        {apply.isSuccess ? doneText(apply.variables, apply.data) : t("studio.applyLicensesHint")}
      </Text>
      {apply.error !== null && <ErrorAlert error={apply.error} />}
    </div>
  );
}

function doneText(toAll: boolean, { changed, frozen }: { changed: number; frozen: number[] }): string {
  if (!toAll) return t("studio.appliedToNewBeats");
  const frozenText = frozen.length === 0 ? "" : ` ${t("studio.frozenBeatsUnchanged", { count: frozen.length })}`;
  return `${t("studio.appliedToBeats", { count: changed })}${frozenText}`;
}
