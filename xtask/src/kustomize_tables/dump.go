// Prints what kustomize knows of fields and lists, as two tables. It is run inside a copy of
// sigs.k8s.io/kustomize/api, whose internal packages nobody else may use.
package main

import (
	"os"
	"path/filepath"
	"sort"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/kustomize/api/internal/plugins/builtinconfig"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/openapi"
	"sigs.k8s.io/kustomize/kyaml/resid"
	"sigs.k8s.io/kustomize/kyaml/yaml"
)

func main() {
	write("fields.tsv", fields())
	write("lists.tsv", lists())
}

func write(name string, lines []string) {
	text := strings.Join(lines, "\n") + "\n"
	if err := os.WriteFile(filepath.Join(os.Args[1], name), []byte(text), 0o644); err != nil {
		panic(err)
	}
}

func fields() (lines []string) {
	c := builtinconfig.MakeDefaultConfig()
	add := func(section string, target resid.Gvk, specs types.FsSlice) {
		for _, s := range specs {
			create := ""
			if s.CreateIfNotPresent {
				create = "create"
			}
			lines = append(lines, strings.Join([]string{section, target.Group, target.Version, target.Kind,
				s.Group, s.Version, s.Kind, s.Path, create}, "\t"))
		}
	}
	none := resid.Gvk{}
	add("namePrefix", none, c.NamePrefix)
	add("nameSuffix", none, c.NameSuffix)
	add("namespace", none, c.NameSpace)
	add("commonLabels", none, c.CommonLabels)
	add("labels", none, c.Labels)
	add("templateLabels", none, c.TemplateLabels)
	add("commonAnnotations", none, c.CommonAnnotations)
	add("varReference", none, c.VarReference)
	add("images", none, c.Images)
	add("replicas", none, c.Replicas)
	for _, r := range c.NameReference {
		add("nameReference", r.Gvk, r.Referrers)
	}
	return lines
}

type field struct{ name, form, target, keys string }

// lists prints only the definitions from which a list can be reached that is merged.
func lists() (lines []string) {
	openapi.SchemaForResourceType(yaml.TypeMeta{})
	definitions := openapi.Schema().Definitions
	known := map[string][]field{}
	for name, d := range definitions {
		for key, p := range d.Properties {
			known[name] = append(known[name], describe(key, p))
		}
	}
	useful := map[string]bool{}
	for grew := true; grew; {
		grew = false
		for name, fields := range known {
			for _, f := range fields {
				if !useful[name] && (f.keys != "" || useful[f.target]) {
					useful[name], grew = true, true
				}
			}
		}
	}
	for name, d := range definitions {
		gvks, _ := d.Extensions["x-kubernetes-group-version-kind"].([]interface{})
		for _, e := range gvks {
			m := e.(map[string]interface{})
			gvk := resid.NewGvk(m["group"].(string), m["version"].(string), m["kind"].(string))
			if gvk.IsClusterScoped() {
				lines = append(lines, strings.Join([]string{"cluster", gvk.ApiVersion(), gvk.Kind}, "\t"))
			}
			if useful[name] {
				lines = append(lines, strings.Join([]string{"kind", gvk.ApiVersion(), gvk.Kind, name}, "\t"))
			}
		}
		if !useful[name] {
			continue
		}
		for _, f := range known[name] {
			if f.keys != "" || useful[f.target] {
				target := f.target
				if !useful[target] {
					target = ""
				}
				lines = append(lines, strings.Join([]string{"field", name, f.name, f.form, target, f.keys}, "\t"))
			}
		}
	}
	sort.Strings(lines)
	return lines
}

func describe(name string, p spec.Schema) field {
	f := field{name: name, form: "direct", target: target(p.Ref)}
	if len(p.Type) == 1 && p.Type[0] == "array" {
		f.form = "list"
		if p.Items != nil && p.Items.Schema != nil {
			f.target = target(p.Items.Schema.Ref)
		}
		strategy, keys := (&openapi.ResourceSchema{Schema: &p}).PatchStrategyAndKeyList()
		for _, s := range strings.Split(strategy, ",") {
			if s == "merge" {
				f.keys = strings.Join(keys, ",")
				if f.keys == "" {
					f.keys = "-"
				}
			}
		}
	} else if p.AdditionalProperties != nil && p.AdditionalProperties.Schema != nil {
		f.form = "map"
		f.target = target(p.AdditionalProperties.Schema.Ref)
	}
	return f
}

func target(ref spec.Ref) string {
	return strings.TrimPrefix(ref.String(), "#/definitions/")
}

