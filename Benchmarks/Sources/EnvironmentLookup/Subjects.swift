import Router

/// The baseline: a single task local.
enum Bare {
  @TaskLocal static var number = 7
}

/// A table keyed by type, in a task local, read through a key path and a wrapper, without Router's types.
struct Table: Sendable {
  @TaskLocal static var carried = Table()
  private var values: [ObjectIdentifier: any Sendable] = [:]

  subscript<Value: Sendable>(key: ObjectIdentifier, default defaultValue: Value) -> Value {
    get { values[key] as? Value ?? defaultValue }
    set { values[key] = newValue }
  }

  var number: Int {
    get { self[ObjectIdentifier(NumberKey.self), default: 7] }
    set { self[ObjectIdentifier(NumberKey.self), default: 7] = newValue }
  }
}

struct NumberKey: EnvironmentKey {
  static let defaultValue = 7
}

/// Other keys, so that the table is not empty.
struct NameKey: EnvironmentKey {
  static let defaultValue = "nobody"
}

struct FlagKey: EnvironmentKey {
  static let defaultValue = false
}

extension EnvironmentValues {
  var number: Int {
    get { self[NumberKey.self] }
    set { self[NumberKey.self] = newValue }
  }

  var name: String {
    get { self[NameKey.self] }
    set { self[NameKey.self] = newValue }
  }

  var flag: Bool {
    get { self[FlagKey.self] }
    set { self[FlagKey.self] = newValue }
  }
}

/// Code that asks, as in an app.
struct Screen {
  @Environment(\.number) var number
  @Environment(\.showSheet) var showSheet
  @Environment(\.dismiss) var dismiss
}
