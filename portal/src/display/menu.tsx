import { Link, type LinkProps } from "@tanstack/react-router";
import { type KeyboardEvent, type ReactNode, type RefObject, type ToggleEvent, useId, useRef } from "react";
import classes from "./menu.module.css";

interface MenuProps {
  /** The width of the menu in CSS pixels. */
  width: number;
  /** The ref of the button, for a page that focuses it. */
  buttonRef?: RefObject<HTMLButtonElement | null>;
  /** Renders the button that opens the menu, with these props. */
  target: (props: {
    ref: RefObject<HTMLButtonElement | null>;
    popoverTarget: string;
    "aria-haspopup": "menu";
  }) => ReactNode;
  /** Whether the button is in a bar that does not scroll with the page. */
  isInBar?: boolean;
  onOpen?: () => void;
  children: ReactNode;
}

/**
 * A menu of actions in the browser's own popover: it closes on Escape and on a press outside it, and returns the focus.
 */
export function Menu({ width, buttonRef, target, isInBar = false, onOpen, children }: MenuProps) {
  const id = useId();
  const ownRef = useRef<HTMLButtonElement>(null);
  const button = buttonRef ?? ownRef;
  const menu = useRef<HTMLDivElement>(null);
  const items = () => [...(menu.current?.querySelectorAll<HTMLElement>("[role=menuitem]:not(:disabled)") ?? [])];
  const place = ({ newState }: ToggleEvent) => {
    const box = button.current?.getBoundingClientRect();
    if (newState !== "open" || box === undefined || menu.current === null) return;
    const scrolled = isInBar ? { x: 0, y: 0 } : { x: scrollX, y: scrollY };
    menu.current.style.top = `${box.bottom + scrolled.y + 4}px`;
    menu.current.style.left = `${Math.max(8, box.right - width) + scrolled.x}px`;
    onOpen?.();
  };
  const focusFirst = ({ newState }: ToggleEvent) => newState === "open" && items()[0]?.focus();
  const press = (event: KeyboardEvent) => {
    const menuItems = items();
    const focusedIndex = menuItems.indexOf(document.activeElement as HTMLElement);
    const next = { ArrowDown: focusedIndex + 1, ArrowUp: focusedIndex - 1, Home: 0, End: -1 }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    menuItems.at(next % menuItems.length)?.focus();
  };
  return (
    <>
      {target({ ref: button, popoverTarget: id, "aria-haspopup": "menu" })}
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="menu"
        tabIndex={-1}
        className={classes.menu}
        style={{ width, position: isInBar ? "fixed" : "absolute" }}
        onBeforeToggle={place}
        onToggle={focusFirst}
        onKeyDown={press}
        onClick={(event) => (event.target as Element).closest("[role=menuitem]") && menu.current?.hidePopover()}
      >
        {children}
      </div>
    </>
  );
}

interface MenuItemProps {
  icon?: ReactNode;
  /** Content after the label. */
  end?: ReactNode;
  isDangerous?: boolean;
  disabled?: boolean;
  onClick: () => void;
  children: ReactNode;
}

/** An action of a menu. */
export const MenuItem = ({ icon, end, isDangerous = false, children, ...props }: MenuItemProps) => (
  <button
    {...props}
    type="button"
    role="menuitem"
    className={classes.item}
    style={{ color: isDangerous ? "var(--mantine-color-error)" : undefined }}
  >
    {icon}
    <span className={classes.label}>{children}</span>
    {end}
  </button>
);

interface MenuLinkProps {
  icon: ReactNode;
  to: NonNullable<LinkProps["to"]>;
  children: ReactNode;
}

/** A menu item that links to a page. */
export const MenuLink = ({ icon, to, children }: MenuLinkProps) => (
  <Link to={to} role="menuitem" className={classes.item}>
    {icon}
    <span className={classes.label}>{children}</span>
  </Link>
);

/** A dividing line, or the heading of the items below it. */
export const MenuSection = ({ label }: { label?: string }) =>
  label === undefined ? <hr className={classes.divider} /> : <div className={classes.heading}>{label}</div>;
