import ArgumentParser
import Router
import RouterCompatibility

/// `router-examples delete`: a question that code can pass around and ask without knowing how it is presented.
struct DeletingFile: Example {
  static let configuration = CommandConfiguration(commandName: "delete", abstract: "Confirm that files are deleted.")

  @OptionGroup var options: ExampleOptions

  /// Code that does not know about alerts.
  struct Cleaner {
    let deletion: Queryable<String, Bool>

    func clean(_ files: [String]) async throws {
      for file in files {
        do {
          print(try await deletion.query(with: file) ? "\(file) is deleted." : "\(file) is kept.")
        } catch NoAnswer.dismissed {
          print("\(file) is kept, for nobody said what to do with it.")
        }
      }
    }
  }

  static func play() async throws {
    let deletion = Queryable<String, Bool>(alert: { name in
      AlertState {
        "Delete \(name)?"
      } actions: {
        ButtonState("Delete", id: "delete", role: .destructive, action: true)
        ButtonState("Keep", id: "keep", role: .cancel, action: false)
      } message: {
        "This cannot be undone."
      }
    })
    try await Cleaner(deletion: deletion).clean(["notes.txt", "letter.txt", "thesis.txt"])
  }

  static let script: [ScriptedPresenter.Step] = [
    .press("delete", on: "Delete notes.txt?"), .press("keep", on: "Delete letter.txt?"), .close("Delete thesis.txt?"),
  ]
}
