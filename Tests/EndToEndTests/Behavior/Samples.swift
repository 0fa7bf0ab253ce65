import Router
import RouterTesting

/// A sheet that asks for a color.
struct PickColor: Sheet {
  typealias Answer = String
  var colors: [String] = ["red", "blue"]
}

/// A sheet whose answer may be `nil`.
struct PickNickname: Sheet {
  typealias Answer = String?
}

enum AppSheet: Sheet {
  case settings
  case contact(String)
}

struct Address: Codable, Sendable, Hashable {
  var street: String
  var number: Int
}

struct AddressForm: Sheet {
  var title: String { "Where to?" }

  var form: Form<Address>? {
    Form(Address(street: "", number: 0)) {
      TextField("Street", \.street, length: 1...20)
      NumberField("House number", \.number, in: 1 ... .max)
    }
  }
}

enum Choice: Codable, Sendable, Hashable { case delete, archive }

/// Asks as an app's code would.
struct Screen: Sendable {
  let showSheet = Environment(\.showSheet)
  let showAlert = Environment(\.showAlert)

  static let deletion: AlertState<Choice> = AlertState {
    "Delete?"
  } actions: {
    ButtonState(role: .destructive, action: Choice.delete) { "Delete" }
    ButtonState(role: .cancel) { "Not now" }
  }

  static let dialog = ConfirmationDialogState<Choice>(titleVisibility: .visible) {
    "What about it?"
  } actions: {
    ButtonState("Archive", id: "archive", action: .archive)
    ButtonState("Delete", role: .destructive, action: .delete)
    ButtonState("Nothing", role: .cancel)
  }
}

/// Records callbacks in the order in which they run.
final class Notes: Sendable {
  private let noted = Mutex<[String]>([])
  private let stream: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  func note(_ name: String) {
    noted.withLock { $0.append(name) }
    continuation.yield(name)
  }

  var all: [String] { noted.withLock(\.self) }

  /// Waits for the next notes and returns them.
  func next(_ count: Int = 1) async -> [String] {
    var names: [String] = []
    guard count > 0 else { return names }
    for await name in stream {
      names.append(name)
      if names.count == count { break }
    }
    return names
  }
}

/// A gate that one side opens and the other waits for.
struct Gate: Sendable {
  private let stream: AsyncStream<Void>
  private let continuation: AsyncStream<Void>.Continuation

  init() {
    (stream, continuation) = AsyncStream.makeStream()
  }

  func open() { continuation.finish() }
  func wait() async { for await _ in stream {} }
}
