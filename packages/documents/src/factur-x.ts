import { escapeHtml } from "@beatmarket/foundation/text/html.ts";
import { formatCents } from "@beatmarket/foundation/text/money.ts";

/** The name of the attached file, which Factur-X prescribes. */
export const facturXFile = "factur-x.xml";

interface Party {
  name: string;
  /** At most three lines. */
  address: readonly string[];
  /** ISO 3166-1 alpha-2. */
  country: string;
  vatId: string | null;
}

interface Seller extends Party {
  /** Any stable identifier, for a seller without a tax number. */
  id: string;
  taxNumber: string | null;
}

/** An invoice or credit note with one line, paid when it is issued. Amounts are positive in both kinds. */
export interface FacturXInvoice {
  kind: "invoice" | "credit_note";
  /** The number of the document, such as INV-2026-000042. */
  name: string;
  issuedAt: Date;
  /** ISO 4217, of a currency with two decimals. */
  currency: string;
  /** Includes the tax. */
  amountCents: number;
  taxCents: number;
  /** The invoice that a credit note corrects; null for an invoice. */
  corrects: { name: string; issuedAt: Date } | null;
  seller: Seller;
  buyer: Party;
  line: { title: string; description: string; orderId: number };
  /** The rate of the tax that the amount includes; null if no tax is charged. */
  tax: { basisPoints: number } | null;
}

/**
 * Writes the invoice as Cross Industry Invoice (UN/CEFACT D16B) for Factur-X 1.0, profile EN 16931. Codes: UNTDID 1001
 * (380, 381) for the document, UNTDID 5305 (S, O) for the tax, C62 of Recommendation 20 for a piece.
 */
export function facturX(invoice: FacturXInvoice): string {
  const { currency, amountCents, taxCents, corrects, seller, buyer, line, tax } = invoice;
  const net = formatCents(amountCents - taxCents);
  const gross = formatCents(amountCents);
  const rate =
    tax === null ? "" : `<ram:RateApplicablePercent>${formatCents(tax.basisPoints)}</ram:RateApplicablePercent>`;
  const category = `<ram:CategoryCode>${tax === null ? "O" : "S"}</ram:CategoryCode>`;
  const exemption = tax === null ? "<ram:ExemptionReason>No tax is charged</ram:ExemptionReason>" : "";
  return `<?xml version="1.0" encoding="UTF-8"?>
<rsm:CrossIndustryInvoice xmlns:rsm="urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100" xmlns:ram="urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100" xmlns:qdt="urn:un:unece:uncefact:data:standard:QualifiedDataType:100" xmlns:udt="urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100">
<rsm:ExchangedDocumentContext><ram:GuidelineSpecifiedDocumentContextParameter><ram:ID>urn:cen.eu:en16931:2017</ram:ID></ram:GuidelineSpecifiedDocumentContextParameter></rsm:ExchangedDocumentContext>
<rsm:ExchangedDocument><ram:ID>${invoice.name}</ram:ID><ram:TypeCode>${invoice.kind === "invoice" ? "380" : "381"}</ram:TypeCode><ram:IssueDateTime>${day("udt", invoice.issuedAt)}</ram:IssueDateTime></rsm:ExchangedDocument>
<rsm:SupplyChainTradeTransaction>
<ram:IncludedSupplyChainTradeLineItem>
<ram:AssociatedDocumentLineDocument><ram:LineID>1</ram:LineID></ram:AssociatedDocumentLineDocument>
<ram:SpecifiedTradeProduct><ram:Name>${xml(line.title)}</ram:Name><ram:Description>${xml(line.description)}</ram:Description></ram:SpecifiedTradeProduct>
<ram:SpecifiedLineTradeAgreement><ram:NetPriceProductTradePrice><ram:ChargeAmount>${net}</ram:ChargeAmount></ram:NetPriceProductTradePrice></ram:SpecifiedLineTradeAgreement>
<ram:SpecifiedLineTradeDelivery><ram:BilledQuantity unitCode="C62">1</ram:BilledQuantity></ram:SpecifiedLineTradeDelivery>
<ram:SpecifiedLineTradeSettlement><ram:ApplicableTradeTax><ram:TypeCode>VAT</ram:TypeCode>${category}${rate}</ram:ApplicableTradeTax><ram:SpecifiedTradeSettlementLineMonetarySummation><ram:LineTotalAmount>${net}</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation></ram:SpecifiedLineTradeSettlement>
</ram:IncludedSupplyChainTradeLineItem>
<ram:ApplicableHeaderTradeAgreement>
${sellerParty(seller, tax !== null)}
${buyerParty(buyer, tax !== null)}
<ram:SellerOrderReferencedDocument><ram:IssuerAssignedID>${line.orderId}</ram:IssuerAssignedID></ram:SellerOrderReferencedDocument>
</ram:ApplicableHeaderTradeAgreement>
<ram:ApplicableHeaderTradeDelivery><ram:ActualDeliverySupplyChainEvent><ram:OccurrenceDateTime>${day("udt", invoice.issuedAt)}</ram:OccurrenceDateTime></ram:ActualDeliverySupplyChainEvent></ram:ApplicableHeaderTradeDelivery>
<ram:ApplicableHeaderTradeSettlement>
<ram:InvoiceCurrencyCode>${currency}</ram:InvoiceCurrencyCode>
<ram:ApplicableTradeTax><ram:CalculatedAmount>${formatCents(taxCents)}</ram:CalculatedAmount><ram:TypeCode>VAT</ram:TypeCode>${exemption}<ram:BasisAmount>${net}</ram:BasisAmount>${category}${rate}</ram:ApplicableTradeTax>
<ram:SpecifiedTradeSettlementHeaderMonetarySummation><ram:LineTotalAmount>${net}</ram:LineTotalAmount><ram:TaxBasisTotalAmount>${net}</ram:TaxBasisTotalAmount><ram:TaxTotalAmount currencyID="${currency}">${formatCents(taxCents)}</ram:TaxTotalAmount><ram:GrandTotalAmount>${gross}</ram:GrandTotalAmount><ram:TotalPrepaidAmount>${gross}</ram:TotalPrepaidAmount><ram:DuePayableAmount>0.00</ram:DuePayableAmount></ram:SpecifiedTradeSettlementHeaderMonetarySummation>
${corrects === null ? "" : `<ram:InvoiceReferencedDocument><ram:IssuerAssignedID>${corrects.name}</ram:IssuerAssignedID><ram:FormattedIssueDateTime>${day("qdt", corrects.issuedAt)}</ram:FormattedIssueDateTime></ram:InvoiceReferencedDocument>`}
</ram:ApplicableHeaderTradeSettlement>
</rsm:SupplyChainTradeTransaction>
</rsm:CrossIndustryInvoice>
`;
}

/** Without tax, writes no VAT or tax number (BR-O-02). */
function sellerParty(seller: Seller, isTaxed: boolean): string {
  const { vatId, taxNumber } = seller;
  const registrations = [
    ...(taxNumber === null ? [] : [registration("FC", taxNumber)]),
    ...(vatId === null ? [] : [registration("VA", vatId)]),
  ];
  return `<ram:SellerTradeParty><ram:ID>${xml(seller.id)}</ram:ID><ram:Name>${xml(seller.name)}</ram:Name>${address(seller)}${isTaxed ? registrations.join("") : ""}</ram:SellerTradeParty>`;
}

const buyerParty = (buyer: Party, isTaxed: boolean): string =>
  `<ram:BuyerTradeParty><ram:Name>${xml(buyer.name)}</ram:Name>${address(buyer)}${isTaxed && buyer.vatId !== null ? registration("VA", buyer.vatId) : ""}</ram:BuyerTradeParty>`;

const registration = (scheme: "FC" | "VA", id: string): string =>
  `<ram:SpecifiedTaxRegistration><ram:ID schemeID="${scheme}">${xml(id)}</ram:ID></ram:SpecifiedTaxRegistration>`;

const lineNames = ["LineOne", "LineTwo", "LineThree"] as const;

const address = ({ address, country }: Party): string =>
  `<ram:PostalTradeAddress>${lineNames.map((name, place) => (address[place] === undefined ? "" : `<ram:${name}>${xml(address[place])}</ram:${name}>`)).join("")}<ram:CountryID>${country}</ram:CountryID></ram:PostalTradeAddress>`;

/** A day in UTC. Code 102 is the format CCYYMMDD. */
const day = (prefix: "udt" | "qdt", time: Date): string =>
  `<${prefix}:DateTimeString format="102">${time.toISOString().slice(0, 10).replaceAll("-", "")}</${prefix}:DateTimeString>`;

/**
 * Escapes a text. Replaces control characters, which XML 1.0 forbids. Writes "-" for an empty text, since the element
 * must not be empty.
 */
function xml(text: string): string {
  const clean = text
    .toWellFormed()
    .replaceAll(/[\p{Cc}\ufffe\uffff]+/gu, " ")
    .trim();
  return escapeHtml(clean === "" ? "-" : clean);
}
