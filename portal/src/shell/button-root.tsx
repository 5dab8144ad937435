import type { ComponentProps } from "react";

type RootProps = ComponentProps<"button"> & { href?: string; "data-loading"?: boolean };

/**
 * The element of every button. A loading button refuses clicks and keeps the focus. If it were disabled natively, the
 * browser would move the focus to the page, and keyboard and screen reader would lose their place. /
 */
export function buttonRoot({ disabled, onClick, ...props }: RootProps) {
  if (props.href !== undefined) return <a {...(props as ComponentProps<"a">)} />;
  if (props["data-loading"] !== true) return <button {...props} disabled={disabled} onClick={onClick} />;
  return <button {...props} aria-disabled onClick={(event) => event.preventDefault()} />;
}
