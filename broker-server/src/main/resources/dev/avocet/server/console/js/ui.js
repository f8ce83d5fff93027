// What the pages are made with: elements as templates, whose values are always text.
import { h, render } from '../lib/preact.module.js';
import { useEffect, useRef, useState } from '../lib/hooks.module.js';
import htm from '../lib/htm.module.js';
import { listen } from './api.js';

export { render };
export { useCallback, useEffect, useMemo, useRef, useState } from '../lib/hooks.module.js';
export const html = htm.bind(h);

/** What opens beside a button, and closes by Escape or by a click elsewhere; `box` is a reference to its element. */
export function usePopup() {
  const [open, setOpen] = useState(false);
  const box = useRef(null);
  useEffect(() => {
    function close(event) {
      if (event.type === 'keydown' ? event.key === 'Escape' : !box.current?.contains(event.target)) {
        setOpen(false);
      }
    }
    document.addEventListener('mousedown', close);
    document.addEventListener('keydown', close);
    return () => {
      document.removeEventListener('mousedown', close);
      document.removeEventListener('keydown', close);
    };
  }, []); // from the start: an effect comes after the next frame, and Escape may be faster
  return { open, setOpen, box };
}

/** A number that grows when the broker is back after it did not answer: what a page has asked for in vain, it asks for again then. */
export function useReturns() {
  const [returns, setReturns] = useState(0);
  useEffect(() => listen((event) => event === 'back' && setReturns((before) => before + 1)), []);
  return returns;
}

/** Joins the names of classes that are there. */
export function classes(...names) {
  return names.filter(Boolean).join(' ');
}
