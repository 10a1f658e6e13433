import { Order, Store } from "@shop/store/store";

/** Answers a request to place an order. */
export function handleRequest(store: Store, order: Order): string {
  return `stored as ${store.save(order)}`;
}
