import type { ComponentProps } from "react";

type RootProps = ComponentProps<"button"> & { href?: string; "data-loading"?: boolean };

/**
 * The element of every button. One that is loading refuses clicks and keeps the focus: disabled natively, the browser would
 * move the focus to the page, and with it the place of keyboard and screen reader.
 */
export function buttonRoot({ disabled, onClick, ...props }: RootProps) {
  if (props.href !== undefined) return <a {...(props as ComponentProps<"a">)} />;
  if (props["data-loading"] !== true) return <button {...props} disabled={disabled} onClick={onClick} />;
  return <button {...props} aria-disabled onClick={(event) => event.preventDefault()} />;
}
