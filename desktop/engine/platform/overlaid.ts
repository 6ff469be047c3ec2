/** A view of `object` with some methods replaced; the object itself does not change. */
export function overlaid<T extends object>(object: T, methods: object): T {
  return new Proxy(object, {
    get: (target, name): unknown => {
      const own: unknown = Reflect.get(methods, name);
      const value: unknown = own ?? Reflect.get(target, name);
      return own === undefined && typeof value === 'function' ? value.bind(target) : value;
    },
  });
}
