import type { ComponentProps } from "react";

type RootProps = ComponentProps<"button"> & { href?: string; "data-loading"?: boolean };

/**
 * The root element of every button. A loading button ignores clicks and keeps the focus. The browser would move the
 * focus of a natively disabled button to the page, and keyboard and screen reader users would lose their place.
 */
export function buttonRoot({ disabled, onClick, ...props }: RootProps) {
  if (props.href !== undefined) return <a {...(props as ComponentProps<"a">)} />;
  if (props["data-loading"] !== true) return <button {...props} disabled={disabled} onClick={onClick} />;
  return <button {...props} aria-disabled onClick={(event) => event.preventDefault()} />;
}
