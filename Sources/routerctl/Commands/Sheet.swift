import ArgumentParser
import Router

struct Sheet: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sheet",
    abstract: "Show a sheet or a form and print the answer as JSON.",
    discussion: """
      A form's fields come from --schema, a flat JSON Schema, or from --field, one each:

        NAME:TYPE[=DEFAULT]    TYPE is string, password, email, uri, date, date-time, number, integer, boolean, or
                               choices with | between them; a ! after the TYPE means that the field must be
                               filled in; without a TYPE it is string

      A password is for you alone: it is in no log. A sheet with neither is answered with any JSON, or just dismissed.

      EXAMPLES
        routerctl sheet contact --title 'Your address' --field name:string! --field city=Wien
        routerctl sheet login --field user:string!=$USER --field secret:password!
        routerctl sheet order --field 'size:S|M|L=M' --field count:integer=1 --field gift:boolean
        routerctl sheet diff --payload @changes.json --schema @form.json
      """)

  @Argument(help: "The sheet's name: letters, digits, '.', '_' and '-'.")
  var name: String

  @Option(help: "What the person reads first.")
  var title: String?

  @Option(help: "What stands below the title.")
  var message: String?

  @Option(help: ArgumentHelp("What a presenter that knows the sheet needs.", valueName: "json|@file|-"))
  var payload: JSONArgument?

  @Option(help: ArgumentHelp("The fields as a JSON Schema.", valueName: "json|@file"))
  var schema: JSONArgument?

  @Option(help: ArgumentHelp("A field; may be repeated.", valueName: "name:type[=default]"))
  var field: [FieldArgument] = []

  @Flag(help: "Show it as a full-screen cover.")
  var cover = false

  @OptionGroup(title: "Asking options") var options: AskOptions

  func validate() throws {
    guard schema == nil || field.isEmpty else {
      throw ValidationError("Give the fields with --schema or with --field, not both.")
    }
    let names = field.map(\.property.name)
    guard Set(names).count == names.count else { throw ValidationError("Two fields have the same name.") }
  }

  func request() throws -> PresentationRequest {
    var request = options.request(cover ? .fullScreenCover : .sheet)
    request.sheet = name
    request.title = title
    request.message = message
    request.payload = try payload?.value(for: "--payload")
    if let schema {
      do {
        request.schema = try FormSchema(json: try schema.value(for: "--schema"))
      } catch let error as JSONError {
        throw CommandFailure(.usage, "cannot use --schema: \(error)")
      }
    } else if !field.isEmpty {
      request.schema = FormSchema(properties: field.map(\.property))
    }
    return request
  }

  func run() async throws {
    try await options.ask(try request())
  }
}
