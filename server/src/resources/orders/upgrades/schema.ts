import Type from "typebox";
import { licenseTypes } from "../../beats/licensing/licenses.ts";
import { OrderRequest, Purchase } from "../schema.ts";

const { payment_method, expected_amount, currency } = OrderRequest.properties;

export const UpgradeRequest = Type.Object(
  {
    license_type: Type.Enum([...licenseTypes], {
      description: "A higher license than the present one; or the same, which renews it.",
    }),
    payment_method,
    expected_amount,
    currency,
  },
  { $id: "UpgradeRequest" },
);

/** `data` of a license.upgraded event. */
export const LicenseUpgrade = Type.Object(
  {
    order_id: Type.Integer(),
    ...Purchase.properties,
    replaced_license_id: Type.String({ description: "The license that the new one replaces." }),
  },
  { $id: "LicenseUpgrade", description: "A license that was upgraded or renewed." },
);
