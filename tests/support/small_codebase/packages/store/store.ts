export interface Order {
  id: number;
}

/** Keeps orders in memory. */
export class Store {
  private orders: Order[] = [];

  /** Adds an order, and gives its place. */
  save(order: Order): number {
    return this.orders.push(order);
  }
}
