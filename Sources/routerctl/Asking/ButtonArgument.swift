import ArgumentParser
import Router
import RouterCommandLine
import Synchronization

extension PresentationRequest {
  /// Makes the button with a name the default. Throws ``CommandFailure`` if there is no such button.
  ///
  /// - Parameter names: The names of the first buttons, in order; the others' names are their labels.
  mutating func setDefault(_ wanted: String?, of names: [String]) throws {
    guard let wanted else { return }
    let names = names + buttons.dropFirst(names.count).map(\.label)
    guard let index = names.firstIndex(where: { $0.isSame(as: wanted) }) else {
      throw CommandFailure(.usage, "cannot use --default: there is no button \"\(wanted.showingKeptBytes)\"")
    }
    buttons[index].isDefault = true
  }
}

/// `ID=LABEL`, or a label that is also the id. Keeps its position, because `--button` and `--destructive` are separate options.
struct ButtonArgument: ExpressibleByArgument, Sendable {
  private static let count = Atomic(0)

  let id: String
  let label: String
  let position: Int

  init?(argument: String) {
    let parts = argument.cut(at: "=")
    id = parts.map { String($0.before) } ?? argument
    guard !id.isEmpty else { return nil }
    label = parts.map { String($0.after) } ?? id
    position = Self.count.add(1, ordering: .relaxed).newValue
  }

  func button(_ role: ButtonRole? = nil) -> PresentationRequest.Button {
    PresentationRequest.Button(id: id, label: label, role: role)
  }
}
