"""How the code of kernels that only other kernels call reaches machine code: once, in the loop that calls them.

numba optimises and translates every function for itself, with a copy of all that it calls: the same code again on each
level, and a wrapper for Python that nobody uses. That was half of all compiling. Here a kernel that another one calls
is kept as LLVM code, simplified and not translated. A *unit* (a loop, a policy, a kernel that Python calls) takes what
it calls, optimised one by one, and is itself optimised and translated as numba does it.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from typing import Any

from llvmlite import binding, ir
from numba.core import cgutils, types
from numba.core.codegen import CPUCodegen, JITCodeLibrary
from numba.core.compiler import CR_FIELDS, Compiler, CompileResult, Flags, compile_extra
from numba.core.compiler_lock import global_compiler_lock
from numba.core.environment import lookup_environment
from numba.core.typing.templates import make_concrete_template

IS_OLD = "llvm_module" in inspect.signature(CPUCodegen._function_pass_manager).parameters
"""Whether numba, before 0.62, has LLVM's older managers of passes, which are told the module in the beginning."""
ENVIRONMENT = "_ZN08NumbaEnv"
"""How the names of those global variables begin that hold what numba has to remember of a function."""


class Part(JITCodeLibrary):  # type: ignore[misc]
    """The LLVM code of a kernel and of all that it calls, for linking into units; it has no machine code."""

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self._own: list[str] = []
        self._optimised: Any = None

    def add_ir_module(self, ir_module: ir.Module) -> None:
        """Add the code of the kernel, and simplify it."""
        module = binding.parse_assembly(cgutils.normalize_ir_text(str(ir_module)))
        module.name, module.data_layout = ir_module.name, self._codegen._data_layout
        self._own += [function.name for function in module.functions if not function.is_declaration]
        simplify(self._codegen, module)
        self._final_module.link_in(module)

    def finalize(self) -> None:
        """Add what the kernel calls."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            _load_with(self, library)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        for name in self._own:
            self._final_module.get_function(name).linkage = "linkonce_odr"
        self._finalize_dynamic_globals()
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """Return the code as it is."""
        self._ensure_finalized()
        return self._final_module

    def optimised(self) -> Any:
        """Return the code for a unit that calls the kernel."""
        if self._optimised is None:
            self._ensure_finalized()
            module = self._final_module.clone()
            for name in self._own:  # what nobody calls is removed
                module.get_function(name).linkage = "external"
            optimise(self._codegen, module)
            for name in self._own:
                module.get_function(name).linkage = "linkonce_odr"
            self._optimised = module
        return self._optimised

    def state(self) -> tuple[str, list[str], bytes]:
        """Return all that ``of_state`` needs."""
        return self.name, self._own, self._final_module.as_bitcode()

    @classmethod
    def of_state(cls, codegen: Any, state: tuple[str, list[str], bytes]) -> Part:
        """Return the part with a state."""
        name, own, code = state
        part = cls(codegen, name)
        part._own, part._final_module = own, binding.parse_bitcode(code)
        part._finalize_dynamic_globals()
        part._finalized = True
        return part


class Unit(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function that Python calls, by its name or by its address, with all that it calls."""

    def finalize(self) -> None:
        """Add what the function calls; optimise it, and translate it."""
        self._raise_if_finalized()
        for library in dict.fromkeys(self._linking_libraries):
            _load_with(self, library)
            module = library.optimised() if isinstance(library, Part) else library._get_module_for_linking()
            self._final_module.link_in(module, preserve=True)
        optimise(self._codegen, self._final_module)
        self._final_module.verify()
        self._finalize_final_module()
        for variable in self._final_module.global_variables:
            if variable.name.startswith(ENVIRONMENT) and (environment := lookup_environment(variable.name)):
                self._codegen.set_env(variable.name, environment)


def _load_with(library: JITCodeLibrary, other: JITCodeLibrary) -> None:
    """Let what has to run when a library is loaded run for one with its code, too; before numba 0.63 nothing has to."""
    if hasattr(library, "_reload_init"):
        library._reload_init.update(other._reload_init)


def simplify(codegen: Any, module: Any) -> None:
    """Simplify the functions of a module one by one, as numba does it."""
    functions = [function for function in module.functions if not function.is_declaration]
    if IS_OLD:
        with codegen._function_pass_manager(module) as passes:
            for function in functions:
                passes.initialize()
                passes.run(function)
                passes.finalize()
        return
    passes, builder = codegen._function_pass_manager()
    for function in functions:
        passes.run(function, builder)


def optimise(codegen: Any, module: Any) -> None:
    """Optimise a module as numba does; its first, cheap passes are for counts of references, which kernels have not."""
    if IS_OLD:
        codegen._module_pass_manager().run(module)
        return
    passes, builder = codegen._module_pass_manager()
    passes.run(module, builder)


class _Flags(Flags):  # type: ignore[misc]
    """numba's flags, which it takes as keys some 70,000 times: a tenth of all compiling went into their hashes."""

    __slots__ = ()
    _HASH = hash(Flags())  # the same for all flags: it is made of the names of the options

    def __hash__(self) -> int:
        return self._HASH

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Flags) and (self._values == other._values or super().__eq__(other))


class _PartCompiler(Compiler):  # type: ignore[misc]
    """Compiles a kernel that only other kernels call."""

    library_class: type[JITCodeLibrary] = Part

    def compile_extra(self, function: Any) -> Any:
        """Compile, into a library of the right class."""
        library = self.library_class(self.state.targetctx.codegen(), function.__qualname__)
        library.enable_object_caching()
        self.state.library = library
        return super().compile_extra(function)


class UnitCompiler(_PartCompiler):
    """Compiles a function that Python calls."""

    library_class = Unit


class Parts:
    """The versions of a kernel that other kernels call, by the types of their arguments."""

    def __init__(self, dispatcher: Any) -> None:
        self._dispatcher = dispatcher
        self.versions: dict[tuple[Any, ...], CompileResult] = {}

    def call_template(self, args: Sequence[Any], kws: Mapping[str, Any]) -> Any:
        """Return how numba finds the type of a call, and compile the version for it.

        A call with a constant uses the version for any number. numba would compile a version for each combination of
        constants, which was a tenth of all compiling.
        """
        unliteral = types.unliteral  # type: ignore[attr-defined]
        kinds = [unliteral(kind) for kind in args], {name: unliteral(kind) for name, kind in kws.items()}
        signature, types_of_args = self._dispatcher.fold_argument_types(*kinds)
        self.compile(tuple(types_of_args))
        name = self._dispatcher.py_func.__name__
        versions = [version.signature for version in self.versions.values()]
        return make_concrete_template(f"CallTemplate({name})", name, versions), signature, types_of_args, {}

    def overload(self, args: tuple[Any, ...]) -> Any:
        """Return what stands for a version in numba's table of functions."""
        return self.versions[tuple(args)].entry_point

    def compile(self, args: tuple[Any, ...]) -> None:
        """Compile a version or load it from the cache, unless that is done."""
        dispatcher = self._dispatcher
        with global_compiler_lock:
            if args in self.versions:
                return
            version = dispatcher._cache.load_part(args, dispatcher.targetctx)
            if version is None:
                version = _compile_part(dispatcher, args)
                dispatcher._cache.save_part(args, version)
            version = version._replace(**{"entry_point": object()})  # a key that no other function has
            dispatcher.targetctx.insert_user_function(version.entry_point, version.fndesc, [version.library])
            self.versions[args] = version


def _compile_part(dispatcher: Any, args: tuple[Any, ...]) -> Any:
    """Return the compiled version of a kernel, for arguments of these types, that other kernels call."""
    flags = _Flags()
    dispatcher.targetdescr.options.parse_as_flags(flags, dispatcher.targetoptions)
    flags.no_cpython_wrapper = flags.no_cfunc_wrapper = flags.no_compile = True
    result = compile_extra(
        dispatcher.typingctx,
        dispatcher.targetctx,
        dispatcher.py_func,
        args,
        None,
        flags,
        {},
        pipeline_class=_PartCompiler,
    )
    result.library._ensure_finalized()
    return result


def reduce_part(result: CompileResult) -> tuple[Any, ...]:
    """Return all of a part's version that ``rebuild_part`` needs."""
    result.fndesc.typemap = result.fndesc.calltypes = None
    environments = result._find_referenced_environments()
    return result.library.state(), result.fndesc, result.environment, result.signature, result.reload_init, environments


def rebuild_part(target_context: Any, *reduced: Any) -> CompileResult:
    """Return what ``reduce_part`` was given."""
    state, descriptor, environment, signature, reload_init, environments = reduced
    for function in reload_init:
        function()
    fields = dict.fromkeys(CR_FIELDS)
    fields |= {
        "target_context": target_context,
        "typing_context": target_context.typing_context,
        "library": Part.of_state(target_context.codegen(), state),
        "environment": environment,
        "fndesc": descriptor,
        "signature": signature,
        "objectmode": False,
        "lifted": (),
        "reload_init": reload_init,
        "referenced_envs": environments,
    }
    return CompileResult(**fields)
